package dev.weir.connectors.rabbitmq.common;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import javax.annotation.Nullable;

/** Puts into words why a broker or a connection refused: the client buries it in causes and method objects. */
public final class Reason {

    private Reason() {}

    /** The most telling text among a failure and its causes. */
    public static String of(@Nullable Throwable failure) {
        if (failure == null) {
            return "unknown";
        }
        ShutdownSignalException signal = signalIn(failure);
        if (signal != null) {
            return ofSignal(signal);
        }
        String text = failure.getMessage();
        if (text == null && failure.getCause() != null) {
            return of(failure.getCause());
        }
        return text == null
                ? failure.getClass().getSimpleName()
                : failure.getClass().getSimpleName() + ": " + text;
    }

    /**
     * Whether the broker is there and says no, to who we are or to what we want to declare: waiting hardly changes that. A
     * queue that is missing or in use is not meant: it may come.
     */
    public static boolean isRefusal(Throwable failure) {
        ShutdownSignalException signal = signalIn(failure);
        if (signal != null && signal.getReason() instanceof AMQP.Connection.Close close) {
            return close.getReplyCode() == AMQP.NOT_ALLOWED || close.getReplyCode() == AMQP.ACCESS_REFUSED;
        }
        if (signal != null && signal.getReason() instanceof AMQP.Channel.Close close) {
            return close.getReplyCode() == AMQP.PRECONDITION_FAILED;
        }
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 16; depth++, at = at.getCause()) {
            if (at instanceof AuthenticationFailureException || at instanceof PossibleAuthenticationFailureException) {
                return true;
            }
        }
        return false;
    }

    @Nullable private static ShutdownSignalException signalIn(Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 16; depth++, at = at.getCause()) {
            if (at instanceof ShutdownSignalException signal) {
                return signal;
            }
        }
        return null;
    }

    private static String ofSignal(ShutdownSignalException signal) {
        if (signal.getReason() instanceof AMQP.Channel.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        if (signal.getReason() instanceof AMQP.Connection.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        return signal.getCause() == null ? signal.getMessage() : of(signal.getCause());
    }
}

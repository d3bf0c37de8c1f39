package dev.weir.connectors.rabbitmq.common;

import com.rabbitmq.client.AMQP;
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

package dev.weir.connectors.rabbitmq.common;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.security.cert.CertificateException;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/** Puts into words why a broker or a connection refused: the client buries it in causes and method objects. */
@PublicEvolving
public final class Reason {

    private static final int MAX_DEPTH = 16;
    /** RabbitMQ also answers 403 when a queue has an exclusive consumer already. */
    private static final String IN_USE = "in exclusive use";

    /** A limit of connections, of a user, a virtual host or a node; those of a machine that vanished count for a while. */
    private static final String LIMIT = "is reached";

    private static final Pattern USER =
            Pattern.compile("(user_id property set to|\\buser(?: was)?) '.*?'(?= |,|\\.|;|:|$)");

    private Reason() {}

    /** The most specific text among a failure and its causes. */
    public static String of(@Nullable Throwable failure) {
        if (failure == null) {
            return "unknown";
        }
        if (failure instanceof DeclarationException declaration) {
            return declaration.getMessage();
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
     * Whether the broker is there and says no, to who we are, to what we want to declare, or for lack of permission, or whether
     * we say no to its certificate: waiting hardly changes that. A queue that is missing or in use is not meant: it may come. Nor is a limit of connections:
     * one may close.
     */
    public static boolean isRefusal(Throwable failure) {
        ShutdownSignalException signal = signalIn(failure);
        if (signal != null && signal.getReason() instanceof AMQP.Connection.Close close) {
            return close.getReplyCode() == AMQP.ACCESS_REFUSED
                    || (close.getReplyCode() == AMQP.NOT_ALLOWED
                            && !close.getReplyText().endsWith(LIMIT));
        }
        if (signal != null && signal.getReason() instanceof AMQP.Channel.Close close) {
            return close.getReplyCode() == AMQP.PRECONDITION_FAILED
                    || (close.getReplyCode() == AMQP.ACCESS_REFUSED
                            && !close.getReplyText().contains(IN_USE));
        }
        Throwable at = failure;
        for (int depth = 0; at != null && depth < MAX_DEPTH; depth++, at = at.getCause()) {
            if (at instanceof AuthenticationFailureException
                    || at instanceof PossibleAuthenticationFailureException
                    || at instanceof CertificateException
                    || at instanceof RefusedException) {
                return true;
            }
        }
        return false;
    }

    /** With what reply code the broker has closed the channel; 0 if it has not. */
    public static int channelCloseCode(Throwable failure) {
        ShutdownSignalException signal = signalIn(failure);
        return signal != null && signal.getReason() instanceof AMQP.Channel.Close close ? close.getReplyCode() : 0;
    }

    /** The failure as a cause to keep; null if it quotes a reply of the broker, which may name the user. */
    @Nullable public static Throwable withoutNames(Throwable failure) {
        return signalIn(failure) == null ? failure : null;
    }

    @Nullable private static ShutdownSignalException signalIn(Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < MAX_DEPTH; depth++, at = at.getCause()) {
            if (at instanceof ShutdownSignalException signal) {
                return signal;
            }
        }
        return null;
    }

    private static String ofSignal(ShutdownSignalException signal) {
        if (signal.getReason() instanceof AMQP.Channel.Close close) {
            return inWords(close.getReplyCode(), close.getReplyText());
        }
        if (signal.getReason() instanceof AMQP.Connection.Close close) {
            return inWords(close.getReplyCode(), close.getReplyText());
        }
        return signal.getCause() == null ? signal.getMessage() : of(signal.getCause());
    }

    /** Without the user's name, which is half of a secret. */
    private static String inWords(int code, String text) {
        return code + " " + USER.matcher(text).replaceAll("$1 (hidden)");
    }
}

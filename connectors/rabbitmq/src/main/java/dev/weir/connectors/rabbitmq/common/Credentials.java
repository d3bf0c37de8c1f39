package dev.weir.connectors.rabbitmq.common;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Where user name and password come from. They are looked up on the machine that opens the connection, at every
 * connect, so neither travels in the job graph and a rotated secret is picked up by the next reconnect. Without
 * credentials, those in the {@code RMQConnectionConfig} are used.
 */
@PublicEvolving
public sealed interface Credentials extends Serializable {

    /** User name and password, for one connection attempt. Its text form hides both. */
    record Resolved(String user, String password) {
        public Resolved {
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(password, "password");
        }

        @Override
        public String toString() {
            return "Resolved[hidden]";
        }
    }

    /**
     * Looks both up.
     *
     * @throws IOException if a file cannot be read or a variable is not set; the message names it, never its value
     */
    Resolved resolve() throws IOException;

    /** Credentials in two files, such as mounted secrets; white space around them is ignored. */
    static Credentials fromFiles(String userFile, String passwordFile) {
        return new FromFiles(userFile, passwordFile);
    }

    /** Credentials in two environment variables of the TaskManager. */
    static Credentials fromEnvironment(String userVariable, String passwordVariable) {
        return new FromEnvironment(userVariable, passwordVariable);
    }

    /** See {@link Credentials#fromFiles}. */
    record FromFiles(String userFile, String passwordFile) implements Credentials {
        public FromFiles {
            Objects.requireNonNull(userFile, "userFile");
            Objects.requireNonNull(passwordFile, "passwordFile");
        }

        @Override
        public Resolved resolve() throws IOException {
            return new Resolved(read(userFile), read(passwordFile));
        }

        private static String read(String file) throws IOException {
            try {
                return Files.readString(Path.of(file)).strip();
            } catch (IOException e) {
                throw new IOException(
                        "The AMQP credentials in " + file + " cannot be read; does the file exist here?", e);
            }
        }
    }

    /** See {@link Credentials#fromEnvironment}. */
    record FromEnvironment(String userVariable, String passwordVariable) implements Credentials {
        public FromEnvironment {
            Objects.requireNonNull(userVariable, "userVariable");
            Objects.requireNonNull(passwordVariable, "passwordVariable");
        }

        @Override
        public Resolved resolve() throws IOException {
            return new Resolved(read(userVariable), read(passwordVariable));
        }

        private static String read(String variable) throws IOException {
            String value = System.getenv(variable);
            if (value == null) {
                throw new RefusedException("The environment variable " + variable
                        + " with AMQP credentials is not set; set it where the TaskManagers start");
            }
            return value;
        }
    }
}

package dev.weir.dsm;

import dev.weir.dsm.register.RegisterOptions;
import dev.weir.protocol.Urls;
import java.nio.file.Path;
import java.util.List;

/**
 * How a DSM is started.
 *
 * @param host to listen on; 127.0.0.1 by default, because requests are unauthenticated
 * @param port to listen on; 0 takes a free one
 * @param jdbcUrl of the catalogue's database, which must exist
 * @param register where registrations come from; null: none are taken
 * @param allowed directories under which datasets may be registered over HTTP; none by default
 * @param checksums whether files of directories get a checksum when they are registered; reading them takes time
 */
public record DsmOptions(
        String host,
        int port,
        String jdbcUrl,
        String user,
        String password,
        RegisterOptions register,
        List<Path> allowed,
        boolean checksums) {

    /** Without passwords, in case someone logs it. */
    @Override
    public String toString() {
        return "DsmOptions[" + host + ":" + port + ", catalogue " + Urls.withoutSecrets(jdbcUrl.replaceAll("\\?.*", ""))
                + ", " + register + "]";
    }

    /** A DSM on a free local port, with checksums, whose catalogue is in this database. */
    public static DsmOptions local(String jdbcUrl, String user, String password, RegisterOptions register) {
        return new DsmOptions("127.0.0.1", 0, jdbcUrl, user, password, register, List.of(), true);
    }

    public DsmOptions withPort(int port) {
        return new DsmOptions(host, port, jdbcUrl, user, password, register, allowed, checksums);
    }

    public DsmOptions withAllowed(List<Path> directories) {
        return new DsmOptions(host, port, jdbcUrl, user, password, register, List.copyOf(directories), checksums);
    }
}

package dev.weir.gateway.tls;

import dev.weir.gateway.options.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that speaks HTTPS and nothing else, TLS 1.2 or 1.3. Looks at the files once a second: new connections get a changed certificate, and a pair of
 * files that does not fit, as between two copies, is logged and left out until it does. Safe for use from many threads.
 */
public final class Https implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Https.class);
    private static final String HTTP = "http/1.1";

    private final TlsFiles files;
    private final SslContextFactory.Server context = new SslContextFactory.Server();
    private final ScheduledExecutorService look = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "gateway-certificate");
        thread.setDaemon(true);
        return thread;
    });
    private List<Version> read;
    /** Why the changed files could not be read, so that it is logged once. */
    private String failure;

    /** Two writes within the clock's resolution differ in size, or in the file that a link leads to. */
    private record Version(FileTime modified, long size, Path real) {

        static Version of(Path file) throws IOException {
            return new Version(Files.getLastModifiedTime(file), Files.size(file), file.toRealPath());
        }
    }

    /** Throws {@link IllegalArgumentException} when the files cannot be used. */
    public Https(TlsFiles files) {
        this.files = files;
        read = versions();
        context.setKeyStorePassword(KeyPairFiles.PASSWORD);
        context.setKeyStore(KeyPairFiles.read(files));
        var unused = look.scheduleWithFixedDelay(this::refresh, 1, 1, TimeUnit.SECONDS);
    }

    /** For a server that is not started. */
    public Connector connector(Server server, HttpConfiguration http, String host, int port) {
        HttpConfiguration secure = new HttpConfiguration(http);
        // Whether the name fits is the client's to check; some reach the gateway by its address.
        secure.addCustomizer(new SecureRequestCustomizer(false));
        ServerConnector connector =
                new ServerConnector(server, new SslConnectionFactory(context, HTTP), new HttpConnectionFactory(secure));
        connector.setHost(host);
        connector.setPort(port);
        return connector;
    }

    /** Null when a file is not there. */
    private List<Version> versions() {
        try {
            return List.of(Version.of(files.certificate()), Version.of(files.key()));
        } catch (IOException e) {
            LOG.debug("A file is not there", e);
            return null;
        }
    }

    private void refresh() {
        List<Version> now = versions();
        if (now == null || now.equals(read)) {
            return;
        }
        try {
            var store = KeyPairFiles.read(files);
            context.reload(changed -> changed.setKeyStore(store));
            // Not before: files that could not be read may be readable later, and look the same.
            read = now;
            failure = null;
            LOG.info("New connections get the changed certificate in {}", files.certificate());
        } catch (Exception e) {
            if (!e.toString().equals(failure)) {
                failure = e.toString();
                LOG.error("The changed certificate is not used, the one before stays: {}", failure);
            }
        }
    }

    @Override
    public void close() {
        look.shutdownNow();
    }
}

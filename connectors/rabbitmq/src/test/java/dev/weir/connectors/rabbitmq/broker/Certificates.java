package dev.weir.connectors.rabbitmq.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An authority, a server's certificate for the name {@code localhost} and a client's, made anew by the JDK's keytool in a
 * directory: {@code ca.pem}, {@code server.pem}, {@code server.key}, {@code client.p12}.
 */
public record Certificates(Path directory) {

    /** Of the client's store. */
    public static final String PASSWORD = "only-for-tests";

    public static Certificates in(Path directory) throws Exception {
        Certificates made = new Certificates(directory);
        made.pair("ca", "CN=Test authority", "-ext", "bc=ca:true");
        made.pair("server", "CN=Some broker", "-signer", "ca", "-ext", "san=dns:localhost");
        made.pair("client", "CN=Some job", "-signer", "ca");
        KeyStore all = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(made.store())) {
            all.load(in, PASSWORD.toCharArray());
        }
        pem(made.file("ca.pem"), "CERTIFICATE", all.getCertificate("ca").getEncoded());
        pem(made.file("server.pem"), "CERTIFICATE", all.getCertificate("server").getEncoded());
        Key key = all.getKey("server", PASSWORD.toCharArray());
        pem(made.file("server.key"), "PRIVATE KEY", key.getEncoded());
        KeyStore client = KeyStore.getInstance("PKCS12");
        client.load(null, null);
        Certificate[] chain = all.getCertificateChain("client");
        client.setKeyEntry("client", all.getKey("client", PASSWORD.toCharArray()), PASSWORD.toCharArray(), chain);
        try (OutputStream out = Files.newOutputStream(made.file("client.p12"))) {
            client.store(out, PASSWORD.toCharArray());
        }
        return made;
    }

    public Path file(String name) {
        return directory.resolve(name);
    }

    private Path store() {
        return file("all.p12");
    }

    private void pair(String alias, String name, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                name,
                "-keyalg",
                "RSA",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store().toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(file("keytool.log").toFile()))
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IllegalStateException("keytool failed: " + Files.readString(file("keytool.log")));
        }
    }

    private static void pem(Path file, String what, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }
}

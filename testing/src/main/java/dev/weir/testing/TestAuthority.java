package dev.weir.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certification authority for one test, with keys of its own that are never kept. */
public final class TestAuthority {

    private static final X500Principal NAME = new X500Principal("CN=authority of a test");

    private final KeyPair keys = newKeys();
    private final X509Certificate certificate = certify(NAME, keys, true);
    private int serial;

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has EC", e);
        }
    }

    private X509Certificate certify(X500Principal subject, KeyPair of, boolean isAuthority) {
        try {
            Instant now = Instant.now();
            serial++;
            var builder = new JcaX509v3CertificateBuilder(
                    NAME,
                    BigInteger.valueOf(serial),
                    Date.from(now.minusSeconds(60)),
                    Date.from(now.plusSeconds(3600)),
                    subject,
                    of.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            if (!isAuthority) {
                GeneralName[] names = {
                    new GeneralName(GeneralName.dNSName, "localhost"),
                    new GeneralName(GeneralName.iPAddress, "127.0.0.1")
                };
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("no certificate could be made", e);
        }
    }

    /** The authority's own certificate, in PEM. */
    public void writeCertificate(Path file) throws IOException {
        Files.writeString(file, pem(certificate));
    }

    /** A new certificate for this machine and its key, in PEM. */
    public void writeServer(Path certificateFile, Path keyFile) throws IOException {
        KeyPair server = newKeys();
        String chain = pem(certify(new X500Principal("CN=server " + (serial + 1)), server, false)) + pem(certificate);
        Files.writeString(certificateFile, chain);
        Files.writeString(keyFile, pem(new JcaPKCS8Generator(server.getPrivate(), null)));
    }

    /** A server of this machine with a new certificate. */
    public SSLContext server() {
        try {
            KeyPair server = newKeys();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            Certificate[] chain = {certify(new X500Principal("CN=server " + (serial + 1)), server, false), certificate};
            store.setKeyEntry("server", server.getPrivate(), new char[0], chain);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no server could be made", e);
        }
    }

    private static String pem(Object one) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(one);
        }
        return text.toString();
    }
}

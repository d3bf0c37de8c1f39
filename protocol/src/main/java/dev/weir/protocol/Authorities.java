package dev.weir.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certification authorities of a site, for its clients. */
public final class Authorities {

    private Authorities() {}

    /**
     * A context for clients that trust these authorities and no others.
     *
     * @param pem a file with one certificate or more
     * @throws IOException when the file cannot be used; the message names it
     */
    public static SSLContext only(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new IOException(pem + " has no certificate; it must be PEM, with -----BEGIN CERTIFICATE-----");
            }
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (Certificate one : certificates) {
                trusted.setCertificateEntry("authority " + trusted.size(), one);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + pem + " with certificates of authorities", e);
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates in " + pem + " cannot be used: " + e.getMessage(), e);
        }
    }
}

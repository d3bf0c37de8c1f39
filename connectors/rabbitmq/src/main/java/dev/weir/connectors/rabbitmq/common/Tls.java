package dev.weir.connectors.rabbitmq.common;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.annotation.Nullable;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.flink.annotation.PublicEvolving;

/**
 * TLS to the broker. The broker's certificate must be signed by a trusted authority and must carry the host's name;
 * neither check can be switched off. Files are read where the connection is opened, at every connect.
 *
 * @param authoritiesPem PEM file with the authorities to trust; null for those of the Java runtime
 * @param keyStore PKCS#12 file with the client's certificate and key; null for none
 * @param keyStorePasswordFile file with that store's password; null if it has none
 */
@PublicEvolving
public record Tls(
        @Nullable String authoritiesPem,
        @Nullable String keyStore,
        @Nullable String keyStorePasswordFile) implements Serializable {

    /** Trusts the authorities that the Java runtime trusts. */
    public static Tls trustingTheRuntime() {
        return new Tls(null, null, null);
    }

    /** Trusts only the authorities in a PEM file. */
    public static Tls trusting(String authoritiesPem) {
        return new Tls(authoritiesPem, null, null);
    }

    /** The same, and shows the broker a certificate of our own. */
    public Tls withClientCertificate(String pkcs12, @Nullable String passwordFile) {
        return new Tls(authoritiesPem, pkcs12, passwordFile);
    }

    SSLContext context() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(), trust(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up with " + this + "; check these files", e);
        }
    }

    @Nullable private TrustManager[] trust() throws IOException, GeneralSecurityException {
        if (authoritiesPem == null) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(Path.of(authoritiesPem))) {
            Collection<? extends Certificate> authorities =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            int n = 0;
            for (Certificate authority : authorities) {
                store.setCertificateEntry("authority-" + n++, authority);
            }
            if (n == 0) {
                throw new RefusedException("There is no certificate in " + authoritiesPem);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    @Nullable private KeyManager[] keys() throws IOException, GeneralSecurityException {
        if (keyStore == null) {
            return null;
        }
        char[] password = keyStorePasswordFile == null
                ? new char[0]
                : Files.readString(Path.of(keyStorePasswordFile)).strip().toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(keyStore))) {
            store.load(in, password);
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, password);
        return factory.getKeyManagers();
    }
}

package dev.weir.gateway.tls;

import dev.weir.gateway.options.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a certificate chain and its private key. What is wrong with them is an {@link IllegalArgumentException} that names the file. */
final class KeyPairFiles {

    /** Of the key store, which never leaves memory. */
    static final String PASSWORD = "in memory";

    private static final Logger LOG = LoggerFactory.getLogger(KeyPairFiles.class);
    private static final byte[] SAMPLE = "Does this key belong to this certificate?".getBytes(StandardCharsets.UTF_8);

    private KeyPairFiles() {}

    static KeyStore read(TlsFiles files) {
        X509Certificate[] chain = chain(files.certificate());
        PrivateKey key = key(files.key());
        if (!belongTogether(chain[0].getPublicKey(), key)) {
            throw new IllegalArgumentException("the private key in " + files.key()
                    + " is not that of the first certificate in " + files.certificate() + ", "
                    + chain[0].getSubjectX500Principal() + "; the gateway's own certificate must be the first");
        }
        try {
            chain[0].checkValidity();
        } catch (CertificateException e) {
            LOG.warn(
                    "Clients refuse the certificate in {}: it is valid from {} to {}",
                    files.certificate(),
                    chain[0].getNotBefore().toInstant(),
                    chain[0].getNotAfter().toInstant());
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("gateway", key, PASSWORD.toCharArray(), chain);
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "the certificates in " + files.certificate() + " and the key in " + files.key()
                            + " cannot be used for TLS: " + e.getMessage(),
                    e);
        }
    }

    private static X509Certificate[] chain(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate[] chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map((Certificate one) -> (X509Certificate) one)
                    .toArray(X509Certificate[]::new);
            if (chain.length == 0) {
                throw new IllegalArgumentException(
                        file + " has no certificate; it must be PEM, with -----BEGIN CERTIFICATE-----");
            }
            return chain;
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    "the certificates in " + file + " cannot be read, they must be PEM: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreadable("certificate", file, e);
        }
    }

    private static PrivateKey key(Path file) {
        try (Reader text = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1);
                PEMParser parser = new PEMParser(text)) {
            // Parameters of a curve may come before the key.
            for (Object found = parser.readObject(); found != null; found = parser.readObject()) {
                if (found instanceof PKCS8EncryptedPrivateKeyInfo || found instanceof PEMEncryptedKeyPair) {
                    throw new IllegalArgumentException("the private key in " + file
                            + " is encrypted; give the key itself, in a file that only the gateway's user can read");
                }
                PrivateKeyInfo info = found instanceof PEMKeyPair pair
                        ? pair.getPrivateKeyInfo()
                        : found instanceof PrivateKeyInfo one ? one : null;
                if (info != null) {
                    ASN1ObjectIdentifier kind = info.getPrivateKeyAlgorithm().getAlgorithm();
                    return KeyFactory.getInstance(kind.equals(X9ObjectIdentifiers.id_ecPublicKey) ? "EC" : kind.getId())
                            .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
                }
            }
        } catch (PEMException | GeneralSecurityException e) {
            // Without the cause's text, which may quote the key.
            throw new IllegalArgumentException(
                    "the private key in " + file + " cannot be read; it must be RSA, EC or Ed25519 in PEM");
        } catch (IOException e) {
            throw unreadable("private key", file, e);
        }
        throw new IllegalArgumentException(
                file + " has no private key; it must be PEM, with -----BEGIN PRIVATE KEY-----");
    }

    private static IllegalArgumentException unreadable(String what, Path file, IOException e) {
        String why = e instanceof NoSuchFileException ? "there is no such file" : e.toString();
        return new IllegalArgumentException("the " + what + " in " + file + " cannot be read: " + why, e);
    }

    private static boolean belongTogether(PublicKey certified, PrivateKey key) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC", "ECDSA" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(SAMPLE);
            byte[] signed = signing.sign();
            signing.initVerify(certified);
            signing.update(SAMPLE);
            return signing.verify(signed);
        } catch (GeneralSecurityException e) {
            LOG.debug("The key of algorithm {} and the certificate differ", algorithm, e);
            return false;
        }
    }
}

package dev.weir.gateway.options;

import java.nio.file.Path;

/**
 * Where the gateway's certificate is.
 *
 * @param certificate PEM: the gateway's own certificate first, then those that lead to the certification authority
 * @param key PEM: its private key, RSA, EC or Ed25519, not encrypted
 */
public record TlsFiles(Path certificate, Path key) {

    /** Null when neither is given. Throws {@link IllegalArgumentException} when only one is. */
    public static TlsFiles of(String certificate, String key) {
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            throw new IllegalArgumentException(
                    "TLS needs both a certificate (weir.gateway.tls-certificate-file) and its"
                            + " private key (weir.gateway.tls-key-file), but only one of them is set");
        }
        return new TlsFiles(Path.of(certificate), Path.of(key));
    }
}

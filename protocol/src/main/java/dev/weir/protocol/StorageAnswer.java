package dev.weir.protocol;

/**
 * What is known of a storage, DSM's answer over HTTP.
 *
 * @param url of the storage
 */
public record StorageAnswer(String url) {

    public StorageAnswer {
        Check.text("url", url);
        Check.bytes("url", url, Limits.MAX_URL_BYTES);
    }
}

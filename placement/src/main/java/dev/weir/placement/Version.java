package dev.weir.placement;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which software placed: it stands in the results. */
public final class Version {

    private static final String CURRENT = read();

    private Version() {}

    /** The version, such as {@code 0.1.0}. */
    public static String current() {
        return CURRENT;
    }

    private static String read() {
        Properties properties = new Properties();
        try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
            properties.load(file);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return properties.getProperty("version");
    }
}

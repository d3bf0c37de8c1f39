package dev.weir.gateway.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Libraries for browsers, packed as jars. */
final class Webjars {

    private Webjars() {}

    /** Where the files of one are on the class path; its version stands in their path. */
    static String directory(String group, String artifact) {
        String file = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
        try (InputStream in = Webjars.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its library " + artifact);
            }
            Properties properties = new Properties();
            properties.load(in);
            return "/META-INF/resources/webjars/" + artifact + "/" + properties.getProperty("version") + "/";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

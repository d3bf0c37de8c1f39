package dev.weir.cli.cluster;

import dev.weir.job.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.SecurityOptions;

/**
 * The settings of the processes of a cluster: a directory with config.yaml, settings of files, and single ones.
 *
 * @param directory of config.yaml
 * @param files settings that override those of config.yaml; they may be secret
 * @param single settings that override all others
 */
public record ClusterConfiguration(Path directory, Map<String, String> files, Map<String, String> single) {

    private static final String CONFIG = "config.yaml";

    public ClusterConfiguration {
        files = Map.copyOf(files);
        single = Map.copyOf(single);
    }

    /**
     * Reads the files.
     *
     * @param files a later one overrides an earlier one
     * @throws IOException when a file cannot be read, or a variable in it is not set; the message names it
     */
    public static ClusterConfiguration of(Path directory, List<Path> files, Map<String, String> single)
            throws IOException {
        if (!Files.isReadable(directory.resolve(CONFIG))) {
            throw new IOException(
                    "there is no readable " + directory.resolve(CONFIG) + "; name its directory with --conf");
        }
        Map<String, String> settings = new TreeMap<>();
        for (Path file : files) {
            settings.putAll(ConfigFile.read(file, "--settings").toMap());
        }
        return new ClusterConfiguration(directory, settings, single);
    }

    private Configuration all() {
        Configuration all = GlobalConfiguration.loadConfiguration(directory.toString());
        files.forEach(all::setString);
        single.forEach(all::setString);
        return all;
    }

    /** Whether another JobManager goes on with the jobs of one that has ended. */
    boolean isHighlyAvailable() {
        return !all().get(HighAvailabilityOptions.HA_MODE).equalsIgnoreCase("NONE");
    }

    boolean isTls() {
        return all().get(SecurityOptions.SSL_REST_ENABLED);
    }

    /** What to give to a process on its command line: its defaults, where no file says otherwise, and the single settings. */
    Map<String, String> over(Map<String, String> defaults) {
        Map<String, String> given = new TreeMap<>(defaults);
        given.keySet().removeAll(files.keySet());
        given.putAll(single);
        return given;
    }

    /**
     * Makes one configuration of all files, which only its owner can read: passwords would be seen on a command line.
     *
     * @param target its directory; it is made anew
     * @return where the configuration is: the given directory, or the first one if there are no further files
     */
    Path write(Path target) throws IOException {
        if (files.isEmpty()) {
            return directory;
        }
        Files.createDirectories(target);
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
        try (Stream<Path> others = Files.list(directory)) {
            for (Path other : others.filter(file -> file.toString().endsWith(".properties"))
                    .toList()) {
                Files.copy(other, target.resolve(other.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        List<String> lines = without(Files.readAllLines(directory.resolve(CONFIG)), files.keySet());
        new TreeMap<>(files).forEach((key, value) -> lines.add(key + ": '" + value.replace("'", "''") + "'"));
        Files.write(target.resolve(CONFIG), lines);
        return target;
    }

    /** YAML without some of the keys at its top, whose values may take several lines that begin with a blank. */
    private static List<String> without(List<String> yaml, Set<String> keys) {
        List<String> left = new ArrayList<>();
        boolean dropped = false;
        for (String line : yaml) {
            boolean isTop = !line.isBlank() && !Character.isWhitespace(line.charAt(0));
            if (isTop) {
                int colon = line.indexOf(':');
                dropped = colon > 0 && keys.contains(line.substring(0, colon).strip());
            }
            if (!dropped) {
                left.add(line);
            }
        }
        return left;
    }
}

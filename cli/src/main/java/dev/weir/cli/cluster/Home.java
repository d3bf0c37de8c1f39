package dev.weir.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Weir's own files, in a checkout or as installed.
 *
 * @param root of the checkout, or of the installation
 */
public record Home(Path root) {

    /** As the launcher says. */
    public static Home find() {
        return new Home(Path.of(System.getProperty("weir.home", "")).toAbsolutePath());
    }

    /** The program that runs one process of a Flink cluster. */
    Path flinkProcess() throws IOException {
        return existing(root.resolve("bin/flink-process"), root.resolve("docker/flink-process"));
    }

    /** The directory of config.yaml. */
    public Path configuration() {
        return root.resolve("flink-conf");
    }

    /** The jar that is submitted to clusters. */
    Path jobJar() throws IOException {
        return existing(root.resolve("job/weir-job.jar"), root.resolve("job/target/cluster/weir-job.jar"));
    }

    private static Path existing(Path installed, Path built) throws IOException {
        if (Files.exists(installed)) {
            return installed;
        }
        if (Files.exists(built)) {
            return built;
        }
        throw new IOException("there is neither " + installed + " nor " + built
                + "; run ./weir --version in a checkout to build Weir, or install it again");
    }
}

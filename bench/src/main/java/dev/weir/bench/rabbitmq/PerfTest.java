package dev.weir.bench.rabbitmq;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** RabbitMQ's perf-test, in a separate JVM. */
public record PerfTest(String uri, int messages, int bytes) {

    private static final Pattern RATE = Pattern.compile("(sending|receiving) rate avg: (\\d+) msg/s");
    private static final int LIMIT_SECONDS = 300;

    /** Publishes persistent messages with confirms into a durable queue, and consumes them with acknowledgements at the same time; messages per second. */
    public double through(String queue) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                "-x",
                "1",
                "-y",
                "1",
                "-C",
                "" + messages,
                "-D",
                "" + messages,
                "-c",
                "" + ConnectorBenchmark.IN_FLIGHT,
                "-q",
                "2000",
                "-A",
                "200");
        return run("receiving", arguments, queue);
    }

    /** Publishes persistent messages with confirms into a durable queue; messages per second. */
    double publish(String queue, int inFlight) throws IOException, InterruptedException {
        return run("sending", List.of("-x", "1", "-y", "0", "-C", "" + messages, "-c", "" + inFlight), queue);
    }

    /** Consumes them with acknowledgements; messages per second. */
    double consume(String queue, int prefetch) throws IOException, InterruptedException {
        List<String> arguments =
                List.of("-x", "0", "-y", "1", "-D", "" + messages, "-q", "" + prefetch, "-A", "" + prefetch / 10);
        return run("receiving", arguments, queue);
    }

    private double run(String direction, List<String> arguments, String queue)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                PerfTestMain.class.getName(),
                "--uri",
                uri,
                "-u",
                queue,
                "-ad",
                "false",
                "-f",
                "persistent",
                "-s",
                "" + bytes));
        command.addAll(arguments);
        Path output = Files.createTempFile("weir-perf-test", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("perf-test took longer than " + LIMIT_SECONDS + " s");
            }
            return rate(direction, Files.readString(output));
        } finally {
            process.destroyForcibly().waitFor();
            Files.deleteIfExists(output);
        }
    }

    private static double rate(String direction, String said) throws IOException {
        Matcher matcher = RATE.matcher(said);
        while (matcher.find()) {
            if (matcher.group(1).equals(direction)) {
                return Double.parseDouble(matcher.group(2));
            }
        }
        throw new IOException(
                "perf-test gave no " + direction + " rate: " + said.substring(Math.max(0, said.length() - 1_000)));
    }
}

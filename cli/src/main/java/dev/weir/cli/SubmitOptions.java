package dev.weir.cli;

import dev.weir.cli.cluster.FlinkCluster;
import dev.weir.cli.cluster.Home;
import dev.weir.cli.cluster.Submission;
import dev.weir.cli.console.JsonLine;
import dev.weir.job.ConfigFile;
import dev.weir.job.start.StartFrom;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What the commands that submit jobs have in common. */
final class SubmitOptions {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "File with the settings; flink-conf/weir.yaml explains each of them.")
    private Path config;

    @Mixin
    private ClusterAddress address;

    @Option(names = "--job", paramLabel = "NAME", description = "Submit only this job: schedule, mirror or queues.")
    private String job;

    @Option(
            names = "--from",
            paramLabel = "JOB=PATH",
            description =
                    "Start the job schedule, mirror or queues from this savepoint or checkpoint; repeat for others. The path is one that the"
                            + " cluster's processes can read.")
    private Map<String, String> from = new TreeMap<>();

    @Option(
            names = "--accept-loss",
            description =
                    "If the newest checkpoint is damaged, continue from an older one, and if Weir has since run with another"
                            + " directory, continue from this one, though it may be empty. The tasks, commands and reports that were acknowledged"
                            + " since are lost. Without it such a start is refused.")
    private boolean acceptLoss;

    @Option(
            names = "--json",
            description = "Print the jobs as one JSON line: {\"jobs\": [{\"name\", \"id\", \"startedFrom\"}, ...]}.")
    private boolean json;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    /**
     * Submits the jobs, and prints them.
     *
     * @param where empty state, or the newest checkpoint, to which the options are added
     * @param restore whether a job without any checkpoint is refused
     */
    int submit(StartFrom where, boolean restore) throws IOException {
        StartFrom start = with(where);
        FlinkCluster flink = address.flink();
        Configuration settings = ConfigFile.read(config);
        PrintWriter out = spec.commandLine().getOut();
        List<Submission.Submitted> jobs = new Submission(flink, Home.find())
                .submit(
                        settings,
                        Optional.ofNullable(job),
                        start,
                        restore,
                        spec.commandLine().getErr()::println);
        if (json) {
            JsonLine.print(out, Map.of("jobs", jobs));
        } else {
            jobs.forEach(it ->
                    out.println("Job " + it.name() + " (" + it.id() + ") runs, started from " + it.startedFrom()));
            out.flush();
        }
        return 0;
    }

    private StartFrom with(StartFrom where) {
        try {
            if (job != null && !from.isEmpty() && !from.keySet().equals(Set.of(job))) {
                throw new IllegalArgumentException("--from names another job than --job");
            }
            return new StartFrom(where.fresh(), from, acceptLoss);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}

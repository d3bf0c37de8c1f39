package dev.weir.bench.rabbitmq;

import com.rabbitmq.perf.PerfTest.PerfTestOptions;

/** Starts perf-test without the logging back end of its own main method, which would conflict with Weir's. */
public final class PerfTestMain {

    private PerfTestMain() {}

    public static void main(String[] arguments) {
        PerfTestOptions options =
                new PerfTestOptions().setSystemExiter(System::exit).setSkipSslContextConfiguration(true);
        com.rabbitmq.perf.PerfTest.main(arguments, options);
    }
}

package dev.weir.cli.embedded;

/** The ports of the services of one running Weir, on the loopback address; 0 stands for any free port. */
public record LocalPorts(int amqp, int postgres, int dsm, int flink, int gateway) {

    public static final LocalPorts ANY = new LocalPorts(0, 0, 0, 0, 0);
}

package dev.weir.chaos.plan;

import java.util.Locale;

/** What a fault hits. In the order in which they come back: services before Weir, which needs RabbitMQ and the checkpoints to start. */
public enum Target {
    RABBITMQ,
    POSTGRES,
    /** The directory of checkpoints. */
    CHECKPOINTS,
    /** The way to DSM. */
    DSM,
    /** The way of pilots without AMQP. */
    GATEWAY,
    /** A pilot that runs programs. */
    PILOT,
    /** One that reaches Weir by the gateway only. */
    HTTP_PILOT,
    /** {@code ./weir run}: all of Flink in one process. */
    WEIR,
    TASK_MANAGER,
    JOB_MANAGER;

    /** Whether Weir itself is part of it. */
    public boolean isWeir() {
        return this == WEIR || this == TASK_MANAGER || this == JOB_MANAGER;
    }

    /** Whether jobs are sent all the time while this is away. */
    public boolean isNotNeededToDispatch() {
        return this == POSTGRES || this == CHECKPOINTS || this == GATEWAY || this == PILOT || this == HTTP_PILOT;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

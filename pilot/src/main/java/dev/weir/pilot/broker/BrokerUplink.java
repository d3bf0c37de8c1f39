package dev.weir.pilot.broker;

import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.protocol.Notice;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** By AMQP, to the broker. */
final class BrokerUplink implements Uplink {

    private final BrokerSettings settings;
    private final BrokerLink link;
    private JobIntake intake;
    private ReportSender sender;

    BrokerUplink(BrokerSettings settings, String pilotId, Consumer<Notice> notices) {
        this.settings = settings;
        link = new BrokerLink(settings, pilotId, notices);
    }

    @Override
    public void start(Outbox outbox) {
        link.start();
        intake = new JobIntake(link, settings, outbox);
        sender = new ReportSender(outbox, link, settings);
        sender.start();
    }

    @Override
    public Delivery take(BooleanSupplier givesUp) throws InterruptedException {
        return intake.take(givesUp);
    }

    @Override
    public boolean isConnected() {
        return link.isConnected();
    }

    @Override
    public String gaveUp() {
        return link.gaveUp();
    }

    @Override
    public void close() {
        if (sender != null) {
            sender.close();
        }
        link.close();
    }
}

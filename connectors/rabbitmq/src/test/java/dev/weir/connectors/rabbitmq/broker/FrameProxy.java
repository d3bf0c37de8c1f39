package dev.weir.connectors.rabbitmq.broker;

import com.rabbitmq.client.AMQP;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Stands between a client and a broker, and shows every method frame to a test, which may change it, wait before it is passed
 * on, or only count. Frames that follow one that waits, in its direction and on its connection, wait too.
 */
public final class FrameProxy implements TestBroker {

    private static final int METHOD = 1;
    private static final int PROTOCOL_HEADER_BYTES = 8;

    private final TestBroker broker;
    private final Consumer<Method> seen;
    private final ServerSocket server;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

    /**
     * A method on its way.
     *
     * @param fromBroker whether the broker sent it
     * @param payload class id, method id and arguments, which may be changed in place
     */
    public record Method(boolean fromBroker, ByteBuffer payload) {

        /** Whether it is that method of that class, by the numbers of AMQP 0-9-1. */
        public boolean is(int classId, int methodId) {
            return payload.getShort(0) == classId && payload.getShort(2) == methodId;
        }
    }

    /**
     * Begins to take connections.
     *
     * @param seen sees every method; an {@link UncheckedIOException} from it breaks the connection before the method is passed on
     */
    public FrameProxy(TestBroker broker, Consumer<Method> seen) throws IOException {
        this.broker = broker;
        this.seen = seen;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    /** Something that ends with an exception when a socket is closed. */
    private interface Work {
        void run() throws IOException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | UncheckedIOException e) {
                        // Closed, by one side or the other: that is how it ends.
                    }
                },
                "frame-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        URI to = URI.create(broker.uri());
        while (!server.isClosed()) {
            Socket client = server.accept();
            Socket upstream = new Socket(to.getHost(), to.getPort() < 0 ? AMQP.PROTOCOL.PORT : to.getPort());
            open.add(client);
            open.add(upstream);
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            start("up", () -> relay(client, upstream, false));
            start("down", () -> relay(upstream, client, true));
        }
    }

    private void relay(Socket from, Socket to, boolean fromBroker) throws IOException {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            if (!fromBroker) {
                out.write(in.readNBytes(PROTOCOL_HEADER_BYTES));
                out.flush();
            }
            while (true) {
                int type = in.readUnsignedByte();
                int channel = in.readUnsignedShort();
                byte[] payload = new byte[in.readInt()];
                in.readFully(payload);
                int end = in.readUnsignedByte();
                if (type == METHOD) {
                    seen.accept(new Method(fromBroker, ByteBuffer.wrap(payload)));
                }
                ByteBuffer frame = ByteBuffer.allocate(payload.length + 8);
                frame.put((byte) type).putShort((short) channel).putInt(payload.length);
                frame.put(payload).put((byte) end);
                out.write(frame.array());
                out.flush();
            }
        }
    }

    @Override
    public String uri() {
        // With the broker's virtual host, which is where its queues are.
        return "amqp://guest:guest@127.0.0.1:" + server.getLocalPort()
                + URI.create(broker.uri()).getRawPath();
    }

    /** Breaks every connection; new ones are taken. */
    public void breakConnections() throws IOException {
        for (Closeable socket : open) {
            open.remove(socket);
            socket.close();
        }
    }

    /** Closes the proxy; the broker behind it stays. */
    @Override
    public void close() throws IOException {
        server.close();
        for (Closeable socket : open) {
            socket.close();
        }
    }
}

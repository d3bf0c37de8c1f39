package dev.weir.pilot;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Stands between a pilot and its broker, and can cut them apart and join them again. */
final class CuttableProxy implements AutoCloseable {

    private final String host;
    private final int port;
    private final ServerSocket server = new ServerSocket();
    private final List<Socket> sockets = new ArrayList<>();
    private boolean cut;
    private int accepted;

    CuttableProxy(String host, int port) throws IOException {
        this.host = host;
        this.port = port;
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        inBackground(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** How often a pilot has connected. */
    synchronized int accepted() {
        return accepted;
    }

    synchronized void cut() {
        cut = true;
        sockets.forEach(CuttableProxy::close);
        sockets.clear();
    }

    synchronized void join() {
        cut = false;
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = server.accept();
            synchronized (this) {
                accepted++;
                if (cut) {
                    close(client);
                    continue;
                }
                Socket broker = new Socket(host, port);
                broker.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(broker);
                inBackground(() -> copy(client, broker));
                inBackground(() -> copy(broker, client));
            }
        }
    }

    private static void copy(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void inBackground(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // The cut.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is as good as closed.
        }
    }
}

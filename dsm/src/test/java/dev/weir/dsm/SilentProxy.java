package dev.weir.dsm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Passes bytes to a server and back until it falls silent: then it keeps its connections and takes new ones, and says nothing. */
final class SilentProxy implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
    private final String host;
    private final int port;
    private volatile boolean silent;

    SilentProxy(String host, int port) throws IOException {
        this.host = host;
        this.port = port;
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void fallSilent() {
        silent = true;
    }

    void speakAgain() {
        silent = false;
    }

    /** What a connection ends with is not looked at: its ends notice. */
    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // Closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = listening.accept();
            Socket far = new Socket(host, port);
            sockets.add(near);
            sockets.add(far);
            start(() -> pass(near, far));
            start(() -> pass(far, near));
        }
    }

    private void pass(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[8192];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!silent) {
                    out.write(buffer, 0, length);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : List.copyOf(sockets)) {
            socket.close();
        }
    }
}

package dev.weir.cli.embedded;

import io.zonky.test.db.postgres.util.LinuxUtils;

/** PostgreSQL refuses to run as root. As root Weir starts it in a user namespace, where the machine allows that. */
final class RootHint {

    private RootHint() {}

    /** Advice if this may be the reason of a failed start; otherwise empty. */
    static String text() {
        if (!"root".equals(System.getProperty("user.name")) || LinuxUtils.isUnshareAvailable()) {
            return "";
        }
        return "; PostgreSQL does not run as root, and this machine does not allow user namespaces (unshare -U fails):"
                + " start Weir as an ordinary user, or allow user namespaces";
    }
}

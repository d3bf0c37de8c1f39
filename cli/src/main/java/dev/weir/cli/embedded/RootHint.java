package dev.weir.cli.embedded;

import io.zonky.test.db.postgres.util.LinuxUtils;

/** PostgreSQL refuses to run as root; as root we put it in a user namespace of its own, where a machine allows that. */
final class RootHint {

    private RootHint() {}

    /** What to do when that may be the reason of a failed start; else nothing. */
    static String text() {
        if (!"root".equals(System.getProperty("user.name")) || LinuxUtils.isUnshareAvailable()) {
            return "";
        }
        return "; PostgreSQL does not run as root, and this machine gives root no user namespace (unshare -U fails):"
                + " start Weir as an ordinary user, or allow user namespaces";
    }
}

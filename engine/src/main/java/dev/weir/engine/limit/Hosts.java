package dev.weir.engine.limit;

import java.util.Locale;

/** The host of a URL and the network of a host, without a name service. */
final class Hosts {

    private Hosts() {}

    /** In lower case, an IPv6 address without brackets; null when the URL has none. A bare address is its own host. */
    static String host(String url) {
        int scheme = url.indexOf("://");
        if (scheme < 0) {
            int end = url.indexOf('/');
            String head = end < 0 ? url : url.substring(0, end);
            return ipv4(head) == null && ipv6(head) == null ? null : head.toLowerCase(Locale.ROOT);
        }
        int start = scheme + 3;
        int end = start;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String authority = url.substring(start, end);
        authority = authority.substring(authority.lastIndexOf('@') + 1);
        if (authority.startsWith("[")) {
            int close = authority.indexOf(']');
            authority = close < 0 ? "" : authority.substring(1, close);
        } else {
            int colon = authority.indexOf(':');
            authority = colon < 0 ? authority : authority.substring(0, colon);
        }
        return authority.isEmpty() ? null : authority.toLowerCase(Locale.ROOT);
    }

    /** {@code a.b.c.0/24} or {@code x:y:z::/48}; null for a name. */
    static String network(String host) {
        int[] four = ipv4(host);
        int[] six = four == null ? ipv6(host) : null;
        if (six != null && isMapped(six)) {
            // Such an address reaches the same machine as the IPv4 one. As IPv6, all of IPv4 would be one network.
            four = new int[] {six[6] >> 8, six[6] & 0xFF, six[7] >> 8, six[7] & 0xFF};
        }
        if (four != null) {
            return four[0] + "." + four[1] + "." + four[2] + ".0/24";
        }
        return six == null
                ? null
                : Integer.toHexString(six[0]) + ":" + Integer.toHexString(six[1]) + ":" + Integer.toHexString(six[2])
                        + "::/48";
    }

    /** Whether an IPv6 address stands for an IPv4 one: {@code ::ffff:a.b.c.d}. */
    private static boolean isMapped(int[] words) {
        for (int i = 0; i < 5; i++) {
            if (words[i] != 0) {
                return false;
            }
        }
        return words[5] == 0xFFFF;
    }

    private static int[] ipv4(String host) {
        String[] parts = host.split("\\.", -1);
        if (parts.length != 4) {
            return null;
        }
        int[] bytes = new int[4];
        for (int i = 0; i < 4; i++) {
            bytes[i] = number(parts[i], 10, 3, 255);
            if (bytes[i] < 0) {
                return null;
            }
        }
        return bytes;
    }

    private static int[] ipv6(String host) {
        int zone = host.indexOf('%');
        String address = zone < 0 ? host : host.substring(0, zone);
        if (address.indexOf(':') < 0) {
            return null;
        }
        int gap = address.indexOf("::");
        int[] head = words(gap < 0 ? address : address.substring(0, gap));
        int[] tail = words(gap < 0 ? "" : address.substring(gap + 2));
        if (head == null || tail == null || (gap < 0 ? head.length != 8 : head.length + tail.length > 7)) {
            return null;
        }
        int[] all = new int[8];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(tail, 0, all, 8 - tail.length, tail.length);
        return all;
    }

    private static int[] words(String text) {
        if (text.isEmpty()) {
            return new int[0];
        }
        String[] parts = text.split(":", -1);
        int[] last = ipv4(parts[parts.length - 1]);
        int plain = last == null ? parts.length : parts.length - 1;
        int[] words = new int[last == null ? plain : plain + 2];
        if (words.length > 8) {
            return null;
        }
        for (int i = 0; i < plain; i++) {
            words[i] = number(parts[i], 16, 4, 0xFFFF);
            if (words[i] < 0) {
                return null;
            }
        }
        if (last != null) {
            words[plain] = last[0] << 8 | last[1];
            words[plain + 1] = last[2] << 8 | last[3];
        }
        return words;
    }

    private static int number(String text, int radix, int maxDigits, int most) {
        if (text.isEmpty() || text.length() > maxDigits) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), radix);
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value <= most ? value : -1;
    }
}

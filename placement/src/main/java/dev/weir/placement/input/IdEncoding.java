package dev.weir.placement.input;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Which bytes a worker's id stands for. */
public enum IdEncoding {
    /** The characters themselves, as UTF-8. */
    UTF8 {
        @Override
        public byte[] decode(String id) {
            return id.getBytes(StandardCharsets.UTF_8);
        }
    },
    /** Two hexadecimal digits a byte, either case. */
    HEX {
        @Override
        public byte[] decode(String id) {
            return HexFormat.of().parseHex(id);
        }
    },
    /** Base 58 with Bitcoin's alphabet and no check sum: how libp2p writes peer ids. */
    BASE58 {
        @Override
        public byte[] decode(String id) {
            return decodeBase58(id);
        }
    };

    private static final String ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(ALPHABET.length());

    /**
     * The bytes of the id.
     *
     * @throws IllegalArgumentException when it is not written in this encoding
     */
    public abstract byte[] decode(String id);

    private static byte[] decodeBase58(String id) {
        BigInteger value = BigInteger.ZERO;
        for (int i = 0; i < id.length(); i++) {
            int digit = ALPHABET.indexOf(id.charAt(i));
            if (digit < 0) {
                throw new IllegalArgumentException("'" + id.charAt(i) + "' at " + i + " is no base 58 digit");
            }
            value = value.multiply(BASE).add(BigInteger.valueOf(digit));
        }
        int zeros = 0;
        while (zeros < id.length() && id.charAt(zeros) == ALPHABET.charAt(0)) {
            zeros++;
        }
        byte[] magnitude = value.signum() == 0 ? new byte[0] : value.toByteArray();
        int sign = magnitude.length > 0 && magnitude[0] == 0 ? 1 : 0;
        byte[] bytes = new byte[zeros + magnitude.length - sign];
        System.arraycopy(magnitude, sign, bytes, zeros, magnitude.length - sign);
        return bytes;
    }
}

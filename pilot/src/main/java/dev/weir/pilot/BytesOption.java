package dev.weir.pilot;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A size on the command line: bytes, or with {@code K, M, G, T} for powers of 1024. */
public final class BytesOption implements ITypeConverter<Long> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})([KMGT])?(I?B)?");

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no size; write for example 65536, 64K, 16M or 1G");
        }
        int power = matcher.group(2) == null ? 0 : "KMGT".indexOf(matcher.group(2)) + 1;
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power));
        } catch (ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is more than can be counted");
        }
    }
}

package dev.weir.bench.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis: its range of values, their mapping to the page, and its ticks.
 *
 * @param label the quantity with its unit
 * @param logarithmic whether equal steps mean equal factors; all values must then be above zero
 * @param low the smallest value shown
 * @param high the largest value shown, above {@code low}
 */
record Axis(String label, boolean logarithmic, double low, double high) {

    private static final int WANTED_TICKS = 6;

    /** An axis around the values: rounded outwards, from zero when it is linear and {@code fromZero}. */
    static Axis around(String label, boolean logarithmic, boolean fromZero, double[] values) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            if (!Double.isFinite(value) || (logarithmic && value <= 0)) {
                throw new IllegalArgumentException("axis '" + label + "' can't show the value " + value);
            }
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        if (logarithmic) {
            double from = Math.floor(Math.log10(low));
            double to = Math.ceil(Math.log10(high));
            return new Axis(label, true, Math.pow(10, from), Math.pow(10, to > from ? to : from + 1));
        }
        if (fromZero) {
            low = Math.min(low, 0);
            high = Math.max(high, 0);
        }
        if (high - low == 0) {
            high = low + 1;
        }
        double step = step(high - low);
        return new Axis(label, false, Math.floor(low / step) * step, Math.ceil(high / step) * step);
    }

    /** The position of a value: 0 at the low end, 1 at the high end. */
    double position(double value) {
        return logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }

    /** The values with a tick, ascending. */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            int from = (int) Math.round(Math.log10(low));
            int to = (int) Math.round(Math.log10(high));
            boolean few = to - from <= 2;
            for (int power = from; power <= to; power++) {
                for (int digit : few ? new int[] {1, 2, 5} : new int[] {1}) {
                    double tick = digit * Math.pow(10, power);
                    if (tick <= high * 1.000001) {
                        ticks.add(tick);
                    }
                }
            }
            return ticks;
        }
        double step = step(high - low);
        long count = Math.round((high - low) / step);
        for (long i = 0; i <= count; i++) {
            ticks.add(low + i * step);
        }
        return ticks;
    }

    /** A short number: 0.25, 40, 1.5 k, 10 M. */
    static String text(double value) {
        double size = Math.abs(value);
        if (size >= 1e9) {
            return plain(value / 1e9) + " G";
        }
        if (size >= 1e6) {
            return plain(value / 1e6) + " M";
        }
        if (size >= 1e4) {
            return plain(value / 1e3) + " k";
        }
        return plain(value);
    }

    /** The same, rounded to three significant digits: for labels on bars. */
    static String roundedText(double value) {
        return value == 0
                ? "0"
                : text(new BigDecimal(value).round(new MathContext(3)).doubleValue());
    }

    private static String plain(double value) {
        String digits =
                String.format(Locale.ROOT, "%.6f", value).replaceAll("0+$", "").replaceAll("\\.$", "");
        return digits.equals("-0") ? "0" : digits;
    }

    /** 1, 2 or 5 times a power of ten, so that about six ticks fit. */
    private static double step(double span) {
        double rough = span / WANTED_TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
    }
}

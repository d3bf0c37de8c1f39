package dev.weir.bench.chart;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One line, or one group of bars, of a {@link Chart}.
 *
 * @param name as the legend shows it
 * @param points in the order they are joined; a bar chart takes one for each category, by {@code x} = its index
 */
public record Series(String name, List<Point> points) {

    /** One value. */
    public record Point(double x, double y) {}

    public Series {
        points = List.copyOf(points);
        if (points.isEmpty()) {
            throw new IllegalArgumentException("series '" + name + "' has no points");
        }
    }

    /** A line through (x[i], y[i]). */
    public static Series line(String name, double[] x, double[] y) {
        if (x.length != y.length) {
            throw new IllegalArgumentException(
                    "series '" + name + "' has " + x.length + " x and " + y.length + " y values");
        }
        return new Series(
                name,
                IntStream.range(0, x.length)
                        .mapToObj(i -> new Point(x[i], y[i]))
                        .toList());
    }

    /** Bars, one for each category in order. */
    public static Series bars(String name, double... values) {
        double[] index = IntStream.range(0, values.length).asDoubleStream().toArray();
        return line(name, index, values);
    }
}

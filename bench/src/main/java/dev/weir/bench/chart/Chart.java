package dev.weir.bench.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * A chart with labelled axes and a legend, written as SVG. Build it with {@link #lines} or {@link #bars}, add series and
 * goal lines, then {@link #toSvg}. Not for use by several threads.
 */
public final class Chart {

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final List<String> categories;
    private final List<Series> series = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private boolean logarithmicX;
    private boolean logarithmicY;

    /** A dashed horizontal line, for a goal. */
    record Mark(String name, double y) {}

    private Chart(String title, String xLabel, String yLabel, List<String> categories) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
        this.categories = List.copyOf(categories);
    }

    /** A chart of lines over numbers. The labels name the quantity and its unit. */
    public static Chart lines(String title, String xLabel, String yLabel) {
        return new Chart(title, xLabel, yLabel, List.of());
    }

    /** A chart of bars over named categories; several series stand side by side. */
    public static Chart bars(String title, String xLabel, String yLabel, List<String> categories) {
        if (categories.isEmpty()) {
            throw new IllegalArgumentException("a bar chart needs categories: '" + title + "'");
        }
        return new Chart(title, xLabel, yLabel, categories);
    }

    /** Makes equal steps on x mean equal factors. */
    public Chart logarithmicX() {
        if (isBars()) {
            throw new IllegalStateException("categories have no logarithm: '" + title + "'");
        }
        logarithmicX = true;
        return this;
    }

    /** Makes equal steps on y mean equal factors. */
    public Chart logarithmicY() {
        logarithmicY = true;
        return this;
    }

    /** Adds a line or a group of bars. */
    public Chart add(Series added) {
        if (isBars() && added.points().size() != categories.size()) {
            throw new IllegalArgumentException("series '" + added.name() + "' has "
                    + added.points().size() + " values for " + categories.size() + " categories");
        }
        series.add(added);
        return this;
    }

    /** Adds a dashed horizontal line. */
    public Chart mark(String name, double y) {
        marks.add(new Mark(name, y));
        return this;
    }

    /** The chart as a complete SVG document. */
    public String toSvg() {
        if (series.isEmpty()) {
            throw new IllegalStateException("nothing to draw in '" + title + "'");
        }
        return new SvgDrawing(this).draw();
    }

    boolean isBars() {
        return !categories.isEmpty();
    }

    String title() {
        return title;
    }

    List<String> categories() {
        return categories;
    }

    List<Series> series() {
        return series;
    }

    List<Mark> marks() {
        return marks;
    }

    Axis xAxis() {
        if (isBars()) {
            return new Axis(xLabel, false, -0.5, categories.size() - 0.5);
        }
        double[] values = series.stream()
                .flatMap(one -> one.points().stream())
                .mapToDouble(Series.Point::x)
                .toArray();
        return Axis.around(xLabel, logarithmicX, false, values);
    }

    Axis yAxis() {
        List<Double> values = new ArrayList<>();
        series.forEach(one -> one.points().forEach(point -> values.add(point.y())));
        marks.forEach(mark -> values.add(mark.y()));
        return Axis.around(
                yLabel,
                logarithmicY,
                true,
                values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}

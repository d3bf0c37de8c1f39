package dev.weir.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a job's {@code args} into words as a POSIX shell does (IEEE Std 1003.1, Shell Command Language, 2.2 Quoting): blanks
 * separate, single quotes keep everything, double quotes keep all but a backslash before {@code " \ $ `} or a line's end, a
 * backslash elsewhere keeps the next character. Variables, patterns, pipes and comments have no meaning; their
 * characters are literal.
 */
public final class Arguments {

    private static final String ESCAPED_IN_DOUBLE_QUOTES = "\"\\$`\n";

    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;

    private Arguments(String text) {
        this.text = text;
    }

    /**
     * The words.
     *
     * @throws IllegalArgumentException when a quote is not closed, or a backslash ends the text; the message gives the position
     */
    public static List<String> split(String text) {
        Arguments arguments = new Arguments(text);
        while (arguments.at < text.length()) {
            arguments.step(text.charAt(arguments.at++));
        }
        arguments.endWord();
        return List.copyOf(arguments.words);
    }

    private void step(char c) {
        switch (c) {
            case ' ', '\t', '\n', '\r' -> endWord();
            case '\'' -> single();
            case '"' -> doubled();
            case '\\' -> backslash();
            default -> add(c);
        }
    }

    private void single() {
        int end = text.indexOf('\'', at);
        if (end < 0) {
            throw unclosed("single quote", at);
        }
        word.append(text, at, end);
        inWord = true;
        at = end + 1;
    }

    private void doubled() {
        int start = at;
        inWord = true;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return;
            }
            boolean escape = c == '\\' && at < text.length() && ESCAPED_IN_DOUBLE_QUOTES.indexOf(text.charAt(at)) >= 0;
            if (!escape) {
                word.append(c);
            } else if (text.charAt(at++) != '\n') {
                word.append(text.charAt(at - 1));
            }
        }
        throw unclosed("double quote", start);
    }

    private void backslash() {
        if (at == text.length()) {
            throw new IllegalArgumentException("args end with a backslash; write \\\\ for the character itself");
        }
        char c = text.charAt(at++);
        if (c != '\n') {
            add(c);
        }
    }

    private void add(char c) {
        word.append(c);
        inWord = true;
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }

    private static IllegalArgumentException unclosed(String quote, int position) {
        return new IllegalArgumentException(
                "args have a " + quote + " at character " + position + " that is not closed");
    }
}

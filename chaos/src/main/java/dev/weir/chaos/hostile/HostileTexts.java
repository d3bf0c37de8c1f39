package dev.weir.chaos.hostile;

import java.util.List;

/** Values that do harm where programs trust them. */
final class HostileTexts {

    /** In place of a value that JSON writers refuse to write. */
    static final String PLACE = "@@PLACE@@";

    /** As they stand between the quotes of a JSON text. */
    static final List<String> ESCAPED = List.of(
            "",
            " ",
            "..",
            "../../../etc/passwd",
            "\\u0000",
            "a\\u0000b",
            "\\ud800",
            "\\udfff\\ud800",
            "\\uffff\\ufffe",
            "\\u202etxt.exe",
            "'; DROP TABLE task_dat; --",
            "$(reboot)",
            "`reboot`",
            "| rm -rf /",
            "${jndi:ldap://127.0.0.1:1/a}",
            "{{7*7}}",
            "%n%n%n%s%s%1000000$s",
            "<script>alert(1)</script>",
            "<!DOCTYPE x [<!ENTITY e SYSTEM \\\"file:///etc/passwd\\\">]>",
            "\\\\\\\"",
            "\\r\\nX-Header: 1",
            "\\u001b[2J\\u001b]0;owned\\u0007",
            "NaN",
            "null",
            "\u0416\u4e2d\ud83d\udca5\u0301\u0301\u0301",
            "\\ud83d\\udca5",
            "file:///etc/passwd",
            "http://127.0.0.1:1/",
            "#.*",
            "weir.tasks",
            "a".repeat(129),
            "b".repeat(5_000),
            "\\u4e2d".repeat(20_000),
            "\\u0000".repeat(300));

    /** Numbers that no field may have, as they stand in JSON. */
    static final List<String> NUMBERS = List.of(
            "9223372036854775808",
            "-99999999999999999999",
            "1e400",
            "-1e400",
            "1e999999999",
            "9".repeat(500),
            "9".repeat(5_000),
            "1." + "0".repeat(900) + "e900");

    /** Bodies that are no JSON object. */
    static final List<String> BODIES = List.of(
            "",
            " ",
            "null",
            "[]",
            "[{}]",
            "true",
            "7",
            "\"text\"",
            "{",
            "}",
            "{}{}",
            "{\"uid\"}",
            "{'uid': 'x'}",
            "{uid: 1}",
            "{\"a\": 1,}",
            "{\"a\": NaN}",
            "// {}",
            "<task uid='1'/>",
            "---\nuid: 1",
            "\u001f\u008b\b",
            "GET / HTTP/1.1\r\n\r\n",
            "\ufeff");

    private HostileTexts() {}
}

package dev.weir.scheduler;

import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.Task;
import java.util.List;

/** A task with what the test is about. */
public final class TaskBuilder {
    private final String uid;
    private final String input;
    private double rank = 1;
    private int retry;
    private Mode mode = Mode.MAP;
    private Order order;
    private List<String> groups;
    private List<FileInfo> targets;
    private String output;
    private Boolean autoCancel;
    private Integer filesPerJob;
    private Integer chunkFiles;
    private Integer demoteAfterS;
    private String ranker;
    private DeviceType device = DeviceType.CPU;
    private String pool;
    private Integer keepOpenS;
    private String args = "{file_in}";

    TaskBuilder(String uid, String input) {
        this.uid = uid;
        this.input = input;
        output = uid + "-out";
    }

    public TaskBuilder rank(double value) {
        rank = value;
        return this;
    }

    public TaskBuilder retry(int value) {
        retry = value;
        return this;
    }

    public TaskBuilder merge(Integer files) {
        mode = Mode.MERGE;
        filesPerJob = files;
        return this;
    }

    public TaskBuilder order(Order value) {
        order = value;
        return this;
    }

    public TaskBuilder groups(String... value) {
        groups = List.of(value);
        return this;
    }

    public TaskBuilder targets(List<FileInfo> value) {
        targets = value;
        return this;
    }

    public TaskBuilder output(String value) {
        output = value;
        return this;
    }

    public TaskBuilder autoCancel(boolean value) {
        autoCancel = value;
        return this;
    }

    public TaskBuilder chunkFiles(int value) {
        chunkFiles = value;
        return this;
    }

    public TaskBuilder ranker(String value) {
        ranker = value;
        return this;
    }

    public TaskBuilder demoteAfterS(int value) {
        demoteAfterS = value;
        return this;
    }

    public TaskBuilder keepOpenS(int seconds) {
        keepOpenS = seconds;
        return this;
    }

    public TaskBuilder args(String value) {
        args = value;
        return this;
    }

    public TaskBuilder pool(String name) {
        pool = name;
        return this;
    }

    public TaskBuilder gpu() {
        device = DeviceType.GPU;
        return this;
    }

    public Task build() {
        return new Task(
                uid,
                "program",
                args,
                rank,
                device,
                mode,
                retry,
                input,
                output,
                "file:///store",
                uid,
                null,
                null,
                order,
                groups,
                targets,
                ranker,
                chunkFiles,
                demoteAfterS,
                autoCancel,
                filesPerJob,
                null,
                pool,
                keepOpenS);
    }
}

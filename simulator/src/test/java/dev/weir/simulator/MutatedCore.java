package dev.weir.simulator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The own source of a core, of the engine or of the protocol, with one deliberate bug in it, compiled in memory, and the simulator around it, both in a class
 * loader of their own. A mutant whose text is no longer found in the source is an error: it would prove nothing.
 */
final class MutatedCore {

    /**
     * Where a mutant's file may be: {@code job/Dispatch.java}, {@code engine/Engine.java}, {@code limit/Group.java}, {@code
     * queues/item/Ends.java}, {@code protocol/queue/Routes.java}.
     */
    private static final List<Path> SOURCES = List.of(
            Path.of("..", "scheduler", "src", "main", "java", "dev", "weir", "scheduler"),
            Path.of("..", "engine", "src", "main", "java", "dev", "weir"),
            Path.of("..", "engine", "src", "main", "java", "dev", "weir", "engine"),
            Path.of("..", "queues", "src", "main", "java", "dev", "weir"),
            Path.of("..", "protocol", "src", "main", "java", "dev", "weir"));

    private static final List<String> OWN = List.of(
            "dev.weir.engine.", "dev.weir.protocol.", "dev.weir.queues.", "dev.weir.scheduler.", "dev.weir.simulator.");

    private final ClassLoader loader;

    MutatedCore(Mutant mutant) {
        loader = new Loader(compile(mutant));
    }

    /**
     * The first of the seeds with a violation; empty when there is none.
     *
     * @param simulation the class whose {@code run} runs one seed
     */
    OptionalLong firstSeedFound(Class<?> simulation, LongStream seeds) throws ReflectiveOperationException {
        Method run = loader.loadClass(simulation.getName()).getMethod("run", long.class);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            for (PrimitiveIterator.OfLong seed = seeds.iterator(); seed.hasNext(); ) {
                long next = seed.nextLong();
                Object result = run.invoke(null, next);
                if (result.getClass().getMethod("violation").invoke(result) != null) {
                    return OptionalLong.of(next);
                }
            }
            return OptionalLong.empty();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Map<String, byte[]> compile(Mutant mutant) {
        try {
            Path file = SOURCES.stream()
                    .map(root -> root.resolve(mutant.file()))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new NoSuchFileException(mutant.file()));
            String source = Files.readString(file);
            int at = source.indexOf(mutant.original());
            if (at < 0 || source.indexOf(mutant.original(), at + 1) >= 0) {
                throw new IllegalStateException("mutant '" + mutant.name() + "' needs exactly one place in " + file
                        + " that reads: " + mutant.original());
            }
            return compile(file, source.replace(mutant.original(), mutant.replacement()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, byte[]> compile(Path file, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Memory memory = new Memory(compiler.getStandardFileManager(problems, Locale.ROOT, null));
        JavaFileObject text =
                new SimpleJavaFileObject(URI.create("string:///" + file.getFileName()), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> options =
                List.of("-classpath", classPath(), "-parameters", "-proc:none", "-nowarn", "--release", "17");
        boolean compiled = compiler.getTask(null, memory, problems, options, null, List.of(text))
                .call();
        if (!compiled) {
            throw new IllegalStateException(
                    "the mutant of " + file + " does not compile: " + problems.getDiagnostics());
        }
        return memory.classes();
    }

    /** From the classes themselves, because surefire hides its class path in the manifest of a jar. */
    private static String classPath() {
        return Stream.of(
                        "dev.weir.scheduler.Scheduler",
                        "dev.weir.queues.Queues",
                        "dev.weir.engine.Engine",
                        "dev.weir.protocol.Task",
                        "com.google.re2j.Pattern",
                        "it.unimi.dsi.fastutil.longs.LongSortedSet",
                        "com.fasterxml.jackson.databind.ObjectMapper",
                        "com.fasterxml.jackson.core.JsonParser",
                        "com.fasterxml.jackson.annotation.JsonProperty")
                .map(MutatedCore::placeOf)
                .distinct()
                .collect(Collectors.joining(java.io.File.pathSeparator));
    }

    private static String placeOf(String className) {
        try {
            return Path.of(Class.forName(className)
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes what the compiler writes. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, javax.tools.FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    written.put(className, bytes);
                    return bytes;
                }
            };
        }

        Map<String, byte[]> classes() {
            return written.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().toByteArray()));
        }
    }

    /** Defines core and simulator anew, the mutated classes among them; all else comes from the test's own loader. */
    private static final class Loader extends ClassLoader {

        private final Map<String, byte[]> mutated;

        Loader(Map<String, byte[]> mutated) {
            super(MutatedCore.class.getClassLoader());
            this.mutated = mutated;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (OWN.stream().noneMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = mutated.get(name);
            if (bytes == null) {
                try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (file == null) {
                        throw new ClassNotFoundException(name);
                    }
                    bytes = file.readAllBytes();
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}

package dev.weir.engine.interleave;

import java.util.Collections;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The policies on the class path of this class. They are looked up once, because that takes as long as a thousand events. */
final class Policies {

    private static final Map<String, ServiceLoader.Provider<Interleave>> BY_NAME = find();

    private Policies() {}

    private static Map<String, ServiceLoader.Provider<Interleave>> find() {
        Map<String, ServiceLoader.Provider<Interleave>> found = new TreeMap<>();
        ServiceLoader.load(Interleave.class, Policies.class.getClassLoader()).stream()
                .forEach(provider -> found.put(provider.get().name(), provider));
        return Collections.unmodifiableMap(found);
    }

    static Interleave named(String name) {
        ServiceLoader.Provider<Interleave> provider = BY_NAME.get(name);
        if (provider == null) {
            throw new IllegalArgumentException(
                    "no policy '" + name + "'; there are " + String.join(", ", BY_NAME.keySet()));
        }
        return provider.get();
    }
}

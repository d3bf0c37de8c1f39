package dev.weir.engine;

import dev.weir.engine.store.Store;

/** An object that lives in memory and in state, and is changed in memory in place. */
public interface Entity {

    /** Sets whether it has to be written, and returns whether it had to be before. For {@link UnitOfWork} only. */
    boolean markChanged(boolean isChanged);

    /** Writes its record, or removes it if the object is gone. */
    void save(Store store);
}

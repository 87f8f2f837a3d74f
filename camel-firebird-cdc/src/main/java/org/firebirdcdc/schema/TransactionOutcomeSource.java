package org.firebirdcdc.schema;

import java.util.Collection;

/** Who knows what became of transactions. */
@FunctionalInterface
public interface TransactionOutcomeSource {

    /**
     * @throws MetadataException if the database cannot be asked now
     */
    TransactionOutcomes outcomes(Collection<Long> transactions);
}

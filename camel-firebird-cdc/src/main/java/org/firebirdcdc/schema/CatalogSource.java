package org.firebirdcdc.schema;

/** Where metadata can be read anew. */
public interface CatalogSource {

    /**
     * Reads the present metadata.
     *
     * @throws MetadataException if that is not possible now
     */
    Catalog read();
}

package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;

/**
 * The fields of every row change as bytes that are ready to be copied: plain text would be searched for characters to escape
 * for each event anew.
 */
final class FieldNames {

    static final SerializableString AFTER = new SerializedString("after");
    static final SerializableString BEFORE = new SerializedString("before");
    static final SerializableString CONNECTOR = new SerializedString("connector");
    static final SerializableString DATA_COLLECTION_ORDER = new SerializedString("data_collection_order");
    static final SerializableString DB = new SerializedString("db");
    static final SerializableString DBGUID = new SerializedString("dbguid");
    static final SerializableString FILE = new SerializedString("file");
    static final SerializableString FILENAME = new SerializedString("filename");
    static final SerializableString NAME = new SerializedString("name");
    static final SerializableString OP = new SerializedString("op");
    static final SerializableString POS = new SerializedString("pos");
    static final SerializableString SCHEMA = new SerializedString("schema");
    static final SerializableString SEGMENT = new SerializedString("segment");
    static final SerializableString SEQUENCE = new SerializedString("sequence");
    static final SerializableString SNAPSHOT = new SerializedString("snapshot");
    static final SerializableString SOURCE = new SerializedString("source");
    static final SerializableString TABLE = new SerializedString("table");
    static final SerializableString TNX = new SerializedString("tnx");
    static final SerializableString TOTAL_ORDER = new SerializedString("total_order");
    static final SerializableString TRANSACTION = new SerializedString("transaction");
    static final SerializableString TS_MS = new SerializedString("ts_ms");
    static final SerializableString TS_NS = new SerializedString("ts_ns");
    static final SerializableString TS_US = new SerializedString("ts_us");
    static final SerializableString TX_ID = new SerializedString("txId");
    static final SerializableString VERSION = new SerializedString("version");

    /** The value of {@code snapshot}. */
    static final SerializableString FALSE = new SerializedString("false");

    private FieldNames() {}
}

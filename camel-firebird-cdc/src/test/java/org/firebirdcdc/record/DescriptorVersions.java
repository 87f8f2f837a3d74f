package org.firebirdcdc.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;

/** Table versions straight from the current descriptors of a recording's catalog.json. */
final class DescriptorVersions {

    private static final int DESCRIPTOR = 12;

    private DescriptorVersions() {}

    static Map<ObjectName, TableVersion> read(Path catalog) throws IOException {
        Map<ObjectName, TableVersion> versions = new HashMap<>();
        for (JsonNode table :
                new ObjectMapper().readTree(catalog.toFile()).get("at_start").get("tables")) {
            TableVersion version = version(table);
            versions.put(version.table(), version);
        }
        return versions;
    }

    private static TableVersion version(JsonNode table) {
        int format = table.get("current_format").asInt();
        ByteBuffer descriptor = descriptor(table, format);
        List<JsonNode> stored = new ArrayList<>();
        for (JsonNode column : table.get("columns")) {
            if (column.get("computed_source").isNull()) {
                stored.add(column);
            }
        }
        stored.sort(Comparator.comparingInt(column -> column.get("position").asInt()));
        List<VersionColumn> columns = new ArrayList<>();
        int recordLength = 0;
        for (JsonNode column : stored) {
            int at = Short.BYTES + DESCRIPTOR * column.get("field_id").asInt();
            int length = Short.toUnsignedInt(descriptor.getShort(at + 2));
            int offset = descriptor.getInt(at + 8);
            DataType type = DataType.ofDtype(descriptor.get(at)).orElseThrow();
            columns.add(new VersionColumn(
                    column.get("name").asText(),
                    true,
                    columns.size(),
                    column.get("field_id").asInt(),
                    offset,
                    valueType(type, length, column),
                    type == DataType.ARRAY ? Optional.of(element(column)) : Optional.empty(),
                    column.get("nullable").asBoolean()));
            recordLength = Math.max(recordLength, offset + length);
        }
        List<VersionColumn> key = new ArrayList<>();
        for (JsonNode name : table.get("primary_key").get("columns")) {
            columns.stream()
                    .filter(column -> column.name().equals(name.asText()))
                    .forEach(key::add);
        }
        ObjectName name = new ObjectName(
                table.path("schema").asText(""), table.get("name").asText());
        return new TableVersion(name, table.get("relation_id").asInt(), format, recordLength, columns, key);
    }

    private static ByteBuffer descriptor(JsonNode table, int format) {
        for (JsonNode candidate : table.get("formats")) {
            if (candidate.get("format").asInt() == format) {
                byte[] bytes =
                        HexFormat.of().parseHex(candidate.get("descriptor_hex").asText());
                return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            }
        }
        throw new IllegalArgumentException("no format " + format);
    }

    private static ValueType element(JsonNode column) {
        DataType type = DataType.ofFieldType(column.get("field_type").asInt()).orElseThrow();
        int length = column.get("length").asInt() + (type == DataType.VARCHAR ? Short.BYTES : 0);
        return valueType(type, length, column);
    }

    private static ValueType valueType(DataType type, int length, JsonNode column) {
        return new ValueType(
                type,
                length,
                type.isExactNumeric() ? column.get("scale").asInt() : 0,
                type.isExactNumeric() || type == DataType.BLOB
                        ? column.path("sub_type").asInt()
                        : 0,
                column.path("precision").asInt(),
                column.path("charset_id").asInt(),
                column.path("character_length").asInt());
    }
}

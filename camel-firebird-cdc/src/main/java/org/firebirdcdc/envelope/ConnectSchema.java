package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A schema as Kafka Connect's JSON converter writes it (formats.md 2.3).
 *
 * @param type       JSON type name: boolean, int8 … int64, float, double, string, bytes, struct, array
 * @param fields     of a struct, in order; else empty
 * @param items      of an array; else empty
 * @param optional   whether null is allowed
 * @param name       semantic or struct name
 * @param version    of that name
 * @param parameters in order; empty for none
 * @param byDefault  value for absent ones
 */
record ConnectSchema(
        String type,
        List<Field> fields,
        Optional<ConnectSchema> items,
        boolean optional,
        Optional<String> name,
        Optional<Integer> version,
        List<Map.Entry<String, String>> parameters,
        Optional<String> byDefault) {

    /** A field of a struct. */
    record Field(String name, ConnectSchema schema) {}

    static final ConnectSchema BOOLEAN = of("boolean");
    static final ConnectSchema INT16 = of("int16");
    static final ConnectSchema INT32 = of("int32");
    static final ConnectSchema INT64 = of("int64");
    static final ConnectSchema FLOAT = of("float");
    static final ConnectSchema DOUBLE = of("double");
    static final ConnectSchema STRING = of("string");
    static final ConnectSchema BYTES = of("bytes");

    private static ConnectSchema of(String type) {
        return new ConnectSchema(
                type,
                List.of(),
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    static ConnectSchema struct(String name, List<Field> fields) {
        return new ConnectSchema(
                "struct",
                List.copyOf(fields),
                Optional.empty(),
                false,
                Optional.of(name),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    static ConnectSchema array(ConnectSchema items) {
        return new ConnectSchema(
                "array",
                List.of(),
                Optional.of(items),
                false,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    /** The same type under a semantic name, version 1. */
    ConnectSchema named(String semanticName) {
        return new ConnectSchema(
                type, fields, items, optional, Optional.of(semanticName), Optional.of(1), parameters, byDefault);
    }

    ConnectSchema version(int number) {
        return new ConnectSchema(type, fields, items, optional, name, Optional.of(number), parameters, byDefault);
    }

    /** The same, with null allowed. */
    ConnectSchema orNull() {
        return orNull(true);
    }

    ConnectSchema orNull(boolean allowed) {
        return new ConnectSchema(type, fields, items, allowed, name, version, parameters, byDefault);
    }

    ConnectSchema parameters(List<Map.Entry<String, String>> entries) {
        return new ConnectSchema(type, fields, items, optional, name, version, List.copyOf(entries), byDefault);
    }

    ConnectSchema byDefault(String value) {
        return new ConnectSchema(type, fields, items, optional, name, version, parameters, Optional.of(value));
    }

    Field field(String fieldName) {
        return new Field(fieldName, this);
    }

    void write(JsonGenerator json) throws IOException {
        write(json, Optional.empty());
    }

    private void write(JsonGenerator json, Optional<String> fieldName) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", type);
        if (type.equals("struct")) {
            json.writeArrayFieldStart("fields");
            for (Field field : fields) {
                field.schema().write(json, Optional.of(field.name()));
            }
            json.writeEndArray();
        }
        if (items.isPresent()) {
            json.writeFieldName("items");
            items.get().write(json, Optional.empty());
        }
        json.writeBooleanField("optional", optional);
        if (name.isPresent()) {
            json.writeStringField("name", name.get());
        }
        if (version.isPresent()) {
            json.writeNumberField("version", version.get());
        }
        if (!parameters.isEmpty()) {
            json.writeObjectFieldStart("parameters");
            for (Map.Entry<String, String> parameter : parameters) {
                json.writeStringField(parameter.getKey(), parameter.getValue());
            }
            json.writeEndObject();
        }
        if (byDefault.isPresent()) {
            json.writeStringField("default", byDefault.get());
        }
        if (fieldName.isPresent()) {
            json.writeStringField("field", fieldName.get());
        }
        json.writeEndObject();
    }
}

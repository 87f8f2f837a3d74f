package org.firebirdcdc.schema;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a database is and who asks: the options {@code database}, {@code username} and {@code password}. The text is a URL
 * of the driver, {@code jdbc:firebird://host:3050/name?property=value}, or short {@code host:port/name} or
 * {@code host/name}; a name is an alias of the server or a path there. Connections always use the encoding UTF8, whatever
 * the URL says; they give up on a host that does not answer.
 */
public final class DatabaseAddress {

    private static final Pattern JDBC = Pattern.compile("(jdbc:firebird(?:sql)?:[^?]+)(?:\\?(.*))?");
    private static final Pattern SHORT =
            Pattern.compile("(?://)?((?:[^/:\\[\\]?]+|\\[[0-9A-Fa-f:.%]+])(?::\\d+)?)/([^?]+)(?:\\?(.*))?");

    /** Without a server in between no user is needed. */
    private static final Pattern LOCAL = Pattern.compile("jdbc:firebird(?:sql)?:(?:embedded|native|local):");

    /** Seconds to wait for a host to answer. */
    private static final String CONNECT_TIMEOUT = "10";

    /** Milliseconds to wait for the next bytes of an answer. */
    private static final String READ_TIMEOUT = "60000";

    private final String url;
    private final Map<String, String> properties;

    private DatabaseAddress(String url, Map<String, String> properties) {
        this.url = url;
        this.properties = properties;
    }

    /**
     * @param database a URL or the short form
     * @param username name of the user; empty to leave it to the URL
     * @param password the user's password; empty to leave it to the URL
     * @throws MetadataException if the text has neither form, or there is no user; no message repeats the properties
     */
    public static DatabaseAddress parse(String database, Optional<String> username, Optional<String> password) {
        Matcher jdbc = JDBC.matcher(database);
        Matcher brief = SHORT.matcher(database);
        String url;
        String query;
        if (jdbc.matches()) {
            url = jdbc.group(1);
            query = jdbc.group(2);
        } else if (!database.startsWith("jdbc:") && brief.matches()) {
            url = "jdbc:firebird://" + brief.group(1) + "/" + brief.group(2);
            query = brief.group(3);
        } else {
            throw new MetadataException("database '" + database.replaceFirst("\\?.*", "?...")
                    + "' is not an address: give jdbc:firebird://host:3050/name or host:3050/name, where name is an alias"
                    + " or a path on the server");
        }
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("connectTimeout", CONNECT_TIMEOUT);
        properties.put("soTimeout", READ_TIMEOUT);
        if (query != null) {
            for (String pair : query.split("[&;]")) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    properties.put(propertyName(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
                }
            }
        }
        properties.keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).matches("charset|lc_ctype"));
        properties.put("encoding", "UTF8");
        username.filter(name -> !name.isBlank()).ifPresent(name -> properties.put("user", name));
        password.ifPresent(secret -> properties.put("password", secret));
        if (properties.getOrDefault("user", "").isBlank() && !LOCAL.matcher(url).lookingAt()) {
            throw new MetadataException(
                    "no user is given for database " + url + ": set the options username and password");
        }
        return new DatabaseAddress(url, properties);
    }

    private static String propertyName(String text) {
        String name = decoded(text);
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "user", "username", "user_name" -> "user";
            case "encoding" -> "encoding";
            default -> name;
        };
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** Address without properties, fit for logs. */
    public String url() {
        return url;
    }

    /** What a connection needs beside the URL, secrets included. */
    Properties properties() {
        Properties copy = new Properties();
        copy.putAll(properties);
        return copy;
    }

    /** The address without user, password and other properties. */
    @Override
    public String toString() {
        return url;
    }
}

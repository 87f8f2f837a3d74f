/**
 * The Camel component {@code firebird-cdc}: consumer, data format, transformer, type converters, health check, console and
 * management. Everything that is not about Camel stands in the rooms below.
 */
package org.firebirdcdc.camel;

@echo off
rem Runs firebird-cdc. JAVA_HOME chooses the Java (17 or later), JAVA_OPTS holds options for it.
rem What the distribution holds is found through the system property firebird-cdc.home.
setlocal

for %%I in ("%~dp0..") do set "FIREBIRD_CDC_HOME=%%~fI"

if defined JAVA_HOME (
    set "FIREBIRD_CDC_JAVA=%JAVA_HOME%\bin\java.exe"
) else (
    set "FIREBIRD_CDC_JAVA=java.exe"
)

if defined JAVA_HOME if not exist "%FIREBIRD_CDC_JAVA%" (
    echo firebird-cdc: JAVA_HOME is %JAVA_HOME%, but there is no bin\java.exe in it 1>&2
    exit /b 1
)

"%FIREBIRD_CDC_JAVA%" %JAVA_OPTS% "-Dfirebird-cdc.home=%FIREBIRD_CDC_HOME%" -jar "%FIREBIRD_CDC_HOME%\lib\firebird-cdc.jar" %*
exit /b %ERRORLEVEL%

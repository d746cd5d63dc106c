@echo off
rem Opens the window; the plugin kit runs in this console, on the Node beside it.
setlocal
set "home=%~dp0.."
if "%~1"=="--kit" goto kit
start "" "%home%\plugin-host.exe" %*
exit /b
:kit
"%home%\resources\node\node.exe" "%home%\resources\app.asar.unpacked\dist\kit\bin\plugin-host-plugin.mjs" %*
exit /b %errorlevel%

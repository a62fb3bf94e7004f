; Inno Setup's recipe of an installer for Windows, from build\bundle\inspector. Never run: see the workflow "package".
; The version is handed over: iscc /DVersion=X.Y.Z
; File types are only added to those that "Open with" offers; none is taken from another program.
#ifndef Version
#define Version "0.0.0"
#endif

[Setup]
AppId=org.store_inspector.Inspector
AppName=Inspector
AppVersion={#Version}
AppPublisher=The Inspector developers
DefaultDirName={autopf}\Inspector
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
DisableProgramGroupPage=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\inspector.ico
UninstallDisplayIcon={app}\inspector-window.exe
OutputDir=..\..\dist
OutputBaseFilename=Inspector-setup

[Files]
Source: "..\..\build\bundle\inspector\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Inspector"; Filename: "{app}\inspector-window.exe"; AppUserModelID: "org.store_inspector.Inspector"

[Registry]
Root: HKA; Subkey: "Software\Classes\Inspector.Store"; ValueType: string; ValueData: "Document store"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Inspector.Store\DefaultIcon"; ValueType: string; ValueData: "{app}\inspector-window.exe,0"
Root: HKA; Subkey: "Software\Classes\Inspector.Store\shell\open\command"; ValueType: string; ValueData: """{app}\inspector-window.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\Inspector.Store\shell\compress"; ValueType: string; ValueData: "Compress with Inspector"
Root: HKA; Subkey: "Software\Classes\Inspector.Store\shell\compress\command"; ValueType: string; ValueData: """{app}\inspector-window.exe"" --compress ""%1"""
Root: HKA; Subkey: "Software\Classes\.tinydb\OpenWithProgids"; ValueType: string; ValueName: "Inspector.Store"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.bjson\OpenWithProgids"; ValueType: string; ValueName: "Inspector.Store"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.json\OpenWithProgids"; ValueType: string; ValueName: "Inspector.Store"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.db\OpenWithProgids"; ValueType: string; ValueName: "Inspector.Store"; ValueData: ""; Flags: uninsdeletevalue

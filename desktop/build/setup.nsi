; Installs Almirah Uploader for one user: no administrator is asked. /S does it silently.
Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
SetCompressorDictSize 64
SetDatablockOptimize on
RequestExecutionLevel user
ManifestDPIAware true
Name "Almirah Uploader"
OutFile "${OUT}"
Icon "${ICON}"
UninstallIcon "${ICON}"
InstallDir "$LOCALAPPDATA\Programs\Almirah Uploader"
BrandingText " "
ShowInstDetails nevershow
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Almirah Uploader"
VIAddVersionKey "FileDescription" "Almirah Uploader Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" ""

!define PROGRAM "$INSTDIR\almirah-uploader.exe"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Almirah Uploader"

Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; The one that runs has 15 seconds to put away what it is at.
!macro EndTheOneThatRuns
  IfFileExists "${PROGRAM}" 0 +2
    ExecWait '"${PROGRAM}" --quit'
!macroend

Section
  !insertmacro EndTheOneThatRuns
  SetOutPath "$INSTDIR"
  SetDateSave off
  ; A virus scanner may still hold the old file for a moment.
  StrCpy $0 0
  again:
    ClearErrors
    SetOverwrite try
    File "/oname=almirah-uploader.exe" "${EXE}"
    IfErrors 0 written
    IntOp $0 $0 + 1
    Sleep 500
    IntCmp $0 20 0 again 0
    MessageBox MB_OK|MB_ICONSTOP "Almirah Uploader is still running. End it, and start this again." /SD IDOK
    Abort
  written:
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Almirah Uploader.lnk" "${PROGRAM}"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Almirah Uploader"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "${PROGRAM}"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  IfSilent 0 +3
    Exec '"${PROGRAM}" --background'
    Goto +2
  Exec '"${PROGRAM}"'
SectionEnd

; The queue and the keys stay: whoever installs it again goes on where it was.
Section "Uninstall"
  !insertmacro EndTheOneThatRuns
  Sleep 500
  Delete "$INSTDIR\almirah-uploader.exe"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Almirah Uploader.lnk"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "Almirah Uploader"
  DeleteRegKey HKCU "${KEY}"
SectionEnd

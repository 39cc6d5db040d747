import { environment, flags } from './runtime.mjs';
import { SERVICE } from './service-settings.ts';

export interface Service {
  /** Folder of the program. */
  program: string;
  dataDir: string;
  /** Other writable folders, such as a backup disk. */
  writes: readonly string[];
  user: string;
  /** Path of the settings file. */
  settings: string;
  /** File with the master key sealed for this machine; null when the key is kept in another way. */
  credential?: string | null;
}

/** Quotes a word of a unit file: whitespace separates words, `%` begins a specifier. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
/** Escapes a path that is a whole value. */
const path = (text: string): string => text.replaceAll('%', '%%').replaceAll(' ', '\\x20');

/** The systemd service: starts at boot, stops gracefully, and is sandboxed. */
export const unitFile = ({ program, dataDir, writes, user, settings, credential }: Service): string => `[Unit]
Description=Almirah, a document vault
After=network-online.target
Wants=network-online.target
# A disk of its own for the documents is waited for.
RequiresMountsFor=${quoted(dataDir)}
# A database or disk that comes later than the server does not leave it off, and neither does an admin who tries out settings.
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
User=${user}
Group=${user}
WorkingDirectory=${path(program)}
EnvironmentFile=${path(settings)}
${Object.entries({ ...environment, NODE_COMPILE_CACHE: '/var/cache/almirah/compiled' })
  .map(([name, value]) => `Environment=${name}=${value}`)
  .join('\n')}
CacheDirectory=almirah
CacheDirectoryMode=0700
${credential ? `LoadCredentialEncrypted=almirah-master-key:${path(credential)}\n` : ''}ExecStart=${[`${program}/node_modules/node/bin/node`, ...flags, `${program}/server/main.ts`].map(quoted).join(' ')}
Restart=on-failure
RestartSec=5
# A start after an update may have to bring a large database to its version.
TimeoutStartSec=30min
TimeoutStopSec=45
KillMode=mixed
WatchdogSec=90
MemoryHigh=75%
MemoryMax=90%
# One that reads a file may be ended for want of memory; the server goes on.
OOMPolicy=continue
TasksMax=512
LimitNOFILE=65536
LimitCORE=0
UMask=0077

AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
# Without the disk of the backups the documents are served all the same.
ReadWritePaths=${[dataDir, ...writes.map((folder) => `-${folder}`)].map(quoted).join(' ')}
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
# What reads files is put into containers of its own, which the service makes for that without being an administrator.
RestrictNamespaces=user mnt pid net ipc uts cgroup
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service @mount
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;

/**
 * A unit that completes an update after a power failure: the service itself may not switch versions, and a
 * version that does not work may not run for long.
 */
export const finishUnitFile = ({ program, dataDir }: Pick<Service, 'program' | 'dataDir'>): string => `[Unit]
Description=Ends an update of Almirah that was cut short
After=${SERVICE}.service
ConditionPathExists=${path(`${dataDir}/update/record.json`)}

[Service]
Type=oneshot
WorkingDirectory=${path(program)}
ExecStart=${[`${program}/node_modules/node/bin/node`, `${program}/server/tools/admin.ts`, 'update', 'finish'].map(quoted).join(' ')}
TimeoutStartSec=2h

[Install]
WantedBy=multi-user.target
`;

/** A line of an environment file in systemd's syntax. */
const line = (name: string, value: string): string =>
  `${name}="${value.replace(/["\\$`]/g, '\\$&').replaceAll('\n', ' ')}"`;

/** The settings file, to which the admin may add. */
export const settingsFile = (
  settings: Record<string, string>,
): string => `# Settings of Almirah; the README lists them all.
# After a change: systemctl restart almirah
${Object.entries(settings)
  .map(([name, value]) => line(name, value))
  .join('\n')}
`;

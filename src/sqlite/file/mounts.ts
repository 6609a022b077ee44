/** Tells from Linux's table of mounts where a file is; other systems do not tell. */

import { readFileSync } from "node:fs";

export interface Mount {
  /** The device as the kernel numbers it in its tables, in hexadecimal: for some file systems `stat` gives another. */
  readonly device: string;
  /** The file system's type, such as `ext4`. */
  readonly type: string;
}

/** Finds the mount that a real path is on. */
export function findMount(path: string): Mount | undefined {
  try {
    return readMount(readFileSync("/proc/self/mountinfo", "utf8"), path);
  } catch {
    return undefined; // not Linux, or no /proc here
  }
}

/** Reads lines such as `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw` (proc_pid_mountinfo(5)). */
export function readMount(table: string, path: string): Mount | undefined {
  let deepest = "";
  let found: Mount | undefined;
  for (const line of table.split("\n")) {
    const [place = "", type = ""] = line.split(" - ", 2);
    const [, , device = "", , point = ""] = place.split(" ");
    const folder = unescape(point);
    if (folder.length < deepest.length || !covers(folder, path)) continue;
    deepest = folder; // of two mounts on one folder, the later lies above
    found = { device: toHexadecimal(device), type: type.split(" ")[0] ?? "" };
  }
  return found;
}

/** Whether the files are on another machine, from where times and bytes come late. */
export function isNetwork({ type }: Mount): boolean {
  return networks.test(type);
}

const networks =
  /^(?:nfs4?|cifs|smb3?|smbfs|ncpfs|afs|coda|ceph|lustre|gpfs|beegfs|glusterfs|ocfs2|gfs2|9p|fuse\.(?:sshfs|rclone|s3fs|s3backer|gcsfuse|goofys|mount-s3|mountpoint-s3|blobfuse2?|glusterfs|ceph|ceph-fuse|juicefs|davfs2?|curlftpfs|smbnetfs|seaweedfs|moosefs|mfs))$/;

function covers(folder: string, path: string): boolean {
  return folder !== "" && (folder === "/" || path === folder || path.startsWith(`${folder}/`));
}

/** The table writes blanks, line ends and backslashes as three octal digits. */
function unescape(folder: string): string {
  return folder.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function toHexadecimal(device: string): string {
  return device
    .split(":")
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join(":");
}

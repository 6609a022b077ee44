/** Tells from Linux's table of mounts whether a file is on another machine, where times and bytes come late. */

/** Names the network file system that a real path is on; `undefined` for a disk of this machine. */
export function findNetworkFileSystem(mounts: string, path: string): string | undefined {
  let deepest = "";
  let found = "";
  for (const line of mounts.split("\n")) {
    // 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw   (proc_pid_mountinfo(5))
    const [place = "", type = ""] = line.split(" - ", 2);
    const point = unescape(place.split(" ")[4] ?? "");
    if (point.length < deepest.length || !covers(point, path)) continue;
    deepest = point; // of two mounts on one point, the later lies above
    found = type.split(" ")[0] ?? "";
  }
  return networks.test(found) ? found : undefined;
}

const networks =
  /^(?:nfs4?|cifs|smb3?|smbfs|ncpfs|afs|coda|ceph|lustre|gpfs|beegfs|glusterfs|ocfs2|gfs2|9p|fuse\.(?:sshfs|rclone|s3fs|s3backer|gcsfuse|goofys|mount-s3|mountpoint-s3|blobfuse2?|glusterfs|ceph|ceph-fuse|juicefs|davfs2?|curlftpfs|smbnetfs|seaweedfs|moosefs|mfs))$/;

function covers(point: string, path: string): boolean {
  return point !== "" && (point === "/" || path === point || path.startsWith(`${point}/`));
}

/** The table writes blanks, line ends and backslashes as three octal digits. */
function unescape(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
